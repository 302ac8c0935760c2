%1 = stablehlo.custom_call @check.eq(%0, %0) {a = "b"} : (tensor<2xi8>, tensor<2xi8>) -> tensor<i1>
check.expect_eq_const %1, dense<true> : tensor<i1>
