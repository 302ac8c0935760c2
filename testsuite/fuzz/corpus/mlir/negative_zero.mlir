"stablehlo.x"() {d = [-0], e = -0, f = [-0.0], g = [[-0], [-0.0]], exponent_bits = -0.0, h = -0 : f32} : () -> ()
