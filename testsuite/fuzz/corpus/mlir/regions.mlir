func.func private @inputs() -> (tensor<2xi8>, tensor<i1>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %t = stablehlo.constant dense<true> : tensor<i1>
  return %c, %t : tensor<2xi8>, tensor<i1>
}
func.func @main() -> tensor<i8> {
  %0:2 = call @inputs() : () -> (tensor<2xi8>, tensor<i1>)
  %i = stablehlo.constant dense<0> : tensor<i8>
  %1 = stablehlo.reduce(%0#0 init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
  %2 = stablehlo.reduce(%0#0 init: %1) across dimensions = [0] : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
   reducer(%l: tensor<i8>, %r: tensor<i8>) {
    %m = stablehlo.maximum %l, %1 : tensor<i8>
    stablehlo.return %m : tensor<i8>
  }
  %3:2 = stablehlo.while(%a = %0#1, %b = %2) : tensor<i1>, tensor<i8> cond {
    stablehlo.return %a : tensor<i1>
  } do {
    %n = "stablehlo.if"(%a) ({ stablehlo.return %b : tensor<i8> }, { stablehlo.return %i : tensor<i8> }) : (tensor<i1>) -> tensor<i8>
    stablehlo.return %0#1, %n : tensor<i1>, tensor<i8>
  }
  %4 = stablehlo.custom_call @check.eq(%3#1, %i) : (tensor<i8>, tensor<i8>) -> tensor<i1>
  return %3#1 : tensor<i8>
}
// -----
func.func @sorted(%x: tensor<?xf32>, %d: tensor<1xi64>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = "stablehlo.gather"(%0, %d) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1>}> : (tensor<?xf32>, tensor<1xi64>) -> tensor<f32>
  check.expect_almost_eq_const %2, dense<1.0> : tensor<f32> {tolerance = 0.1 : f64}
  func.return
}
