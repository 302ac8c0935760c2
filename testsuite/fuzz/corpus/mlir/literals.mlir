#d = array<i64: 1, -2>
%0 = stablehlo.constant dense<[0.1, 1.0e-3, 0x7FC00000, 0x1.8p3, -0.0, -nan]> : tensor<6xf32>
%1 = stablehlo.constant dense<"0x0000803F"> : tensor<6xf32>
%2 = stablehlo.constant dense<[[true, false], [0, 1]]> : tensor<2x2xi1>
%3 = stablehlo.constant dense<"0x05"> : tensor<3xi1>
%4 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
%5 = stablehlo.constant dense<[0x7, 6.0]> : tensor<2xf4E2M1FN>
%6 = stablehlo.constant dense<1.0> : tensor<2xf8E8M0FNU>
%7 = stablehlo.constant dense<> : tensor<0x2xi8>
%8 = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]> : tensor<17xbf16>
"my.op"() {a = #d, b = [1, "x\0A", {c, d = 3/7}], e = @f, g = 0x7FF0000000000000 : f64, h = dense<[1, 2]> : tensor<2xi64>, i = f8E4M3FN, j = none} : () -> ()
