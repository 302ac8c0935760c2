%1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>
%2 = stablehlo.reshape %1 : (tensor<3x2xi8>) -> tensor<6xi8>
%3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<6xi8>) -> tensor<2x6xi8>
%4 = stablehlo.concatenate %3, %3, dim = 0 : (tensor<2x6xi8>, tensor<2x6xi8>) -> tensor<4x6xi8>
%5 = stablehlo.slice %4 [0:2, 1:6:2] : (tensor<4x6xi8>) -> tensor<2x3xi8>
%6 = stablehlo.compare LT, %5, %5, SIGNED : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x3xi1>
%7 = stablehlo.select %6, %5, %5 : tensor<2x3xi1>, tensor<2x3xi8>
%8 = stablehlo.iota dim = 0 : tensor<4xi32>
stablehlo.return %7 : tensor<2x3xi8>
