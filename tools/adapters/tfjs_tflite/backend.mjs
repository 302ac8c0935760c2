// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite of 2023 as WebAssembly, below its JavaScript wrapper: there int8 and int16 tensors go in and out, and a profile tells which kernel ran.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ourTypes = { float32: 'f32', int8: 'i8', uint8: 'u8', int16: 'i16', int32: 'i32' };

/** A vector of the engine as an array. */
const items = (vector) => Array.from({ length: vector.size() }, (_, index) => vector.get(index));

async function open({ folder, build }) {
  const file = `${folder}/wasm/${build}.js`;
  const require = createRequire(pathToFileURL(file));
  const factory = new Function('require', 'module', 'exports', '__dirname', '__filename', `${readFileSync(file, 'utf8')}\nreturn tflite_web_api_ModuleFactory;`)(
    require, { exports: {} }, {}, `${folder}/wasm`, file);
  const wasmBinary = readFileSync(`${folder}/wasm/${build}.wasm`);
  const engine = await factory({ wasmBinary, locateFile: (name) => `${folder}/wasm/${name}`, print: console.error, printErr: console.error });

  function run({ model, inputs }) {
    const place = engine._malloc(model.length);
    engine.HEAPU8.set(model, place);
    const made = engine.TFLiteWebModelRunner.CreateFromBufferAndOptions(place, model.length, { numThreads: 1, enableProfiling: true, maxProfilingBufferEntries: 64 });
    if (!made.ok()) {
      engine._free(place);
      throw new Refusal(made.errorMessage());
    }
    const runner = made.value();
    try {
      items(runner.GetInputs()).forEach((tensor, index) => {
        const data = tensor.data();
        if (data?.set === undefined) throw new Refusal(`the package takes no tensor of ${tensor.dataType || inputs[index].type}`);
        data.set(inputs[index].data);
      });
      if (!runner.Infer()) throw new Refusal('the model was made, but its kernel refuses to run');
      const outputs = items(runner.GetOutputs()).map((tensor) => ({
        name: 'y', type: ourTypes[tensor.dataType], shape: String(tensor.shape).split(',').filter((extent) => extent !== ''), data: tensor.data().slice(),
      }));
      // A short model may leave no line in the profile: it runs again until one does.
      const kernels = new Set();
      for (let turn = 0; turn < 5 && kernels.size === 0; ++turn) {
        if (turn > 0) runner.Infer();
        const profile = runner.GetProfilingResults();
        for (const node of profile.size ? items(profile) : Array.from(profile)) kernels.add(node.nodeType);
      }
      return { outputs, remark: [...kernels].sort().join(' ') };
    } finally {
      runner.delete?.();
      engine._free(place);
    }
  }
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  return { version, details: { isa: build.endsWith('simd') ? 'wasm simd128' : 'wasm', build }, run };
}

await serve(open);
