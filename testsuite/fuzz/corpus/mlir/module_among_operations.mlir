%y = builtin.module "a"(%x) : (tensor<3xf32>) -> tensor<3xi1>
