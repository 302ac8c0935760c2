func.func @main(%x: tensor<2x3xi8> {quantize_info = {clip_max = 127, clip_min = -127, from = "min_max", scale = 0.1 : f32}}) -> tensor<1x3xi8> {
  %c = "stablehlo.constant"() <{value = dense<1> : tensor<2x3xi8>}> {quantize_info = {axis = 1, scale = [0.5, 0.25, 0.125], zero_point = [0, 1, 2]}} : () -> tensor<2x3xi8>
  %y = stablehlo.add %x, %c {quantize_info = {scale = dense<0.2> : tensor<1xf32>, storage = i8}} : tensor<2x3xi8>
  %a, %b = "onnx.Split"(%y) <{num_outputs = 2 : i64, version = 18 : i64}> {quantize_info = [{}, {scale = 3.0}]} : (tensor<2x3xi8>) -> (tensor<1x3xi8>, tensor<1x3xi8>)
  func.return %b : tensor<1x3xi8>
}
