module @m attributes {a = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf32> {x}, %arg1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0:2 = "my.split"(%arg0) <{version = 3 : i64, e = #stablehlo<precision HIGH>}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) loc("x")
    %1 = stablehlo.add %0#0, %0#1 : tensor<2xf32>
    %2 = "onnx.Op"(%1, %none) : (tensor<2xf32>, none) -> !tiebreak.unknown
    func.return %1, %arg1 : tensor<2xf32>, tensor<2xf32>
  }
}
