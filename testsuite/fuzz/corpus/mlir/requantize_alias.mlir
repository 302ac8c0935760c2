!a = !quant.uniform<u8<1:255>:f32, 0.5:3>
!b = tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0:10, 3.0:20}, {0x1p-3, 1/3}}>>
%c = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4x!a>
%y = stablehlo.uniform_quantize %c : (tensor<2x4x!a>) -> !b
// %y @ tie=away: "0x0102030405060708"
// error C15
