// SPDX-License-Identifier: Apache-2.0
// LiteRT as WebAssembly. It expects a browser's worker; two stand-ins make it run in node. Tensors of f32, i32 and u8 go in and out.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ourTypes = new Map([[Float32Array, 'f32'], [Int32Array, 'i32'], [Uint8Array, 'u8']]);

/** What a worker has: scripts that are evaluated at once. The library's own leave a factory behind. */
function importScripts(...places) {
  for (const place of places) {
    const file = String(place).replace(/^file:\/\//, '');
    const module = { exports: {} };
    new Function('require', 'module', 'exports', '__dirname', '__filename', readFileSync(file, 'utf8'))(
      createRequire(pathToFileURL(file)), module, module.exports, file.slice(0, file.lastIndexOf('/')), file);
    globalThis.ModuleFactory = module.exports;
  }
}

async function open({ folder }) {
  globalThis.self = globalThis;
  globalThis.importScripts = importScripts;
  const { loadLiteRt, loadAndCompile, Tensor, supportsFeature } = await import(pathToFileURL(`${folder}/dist/index.js`));
  await loadLiteRt(`${folder}/wasm/`);
  const relaxed = supportsFeature ? await supportsFeature('relaxedSimd') : false;

  async function run({ model, inputs }) {
    let compiled;
    try {
      compiled = await loadAndCompile(model, { accelerator: 'wasm' });
    } catch (error) {
      // What it does not take ends in a trap more often than in a message: the engine has no exceptions.
      throw new Refusal(isSpoiled(error) ? `the engine traps while it reads the model: ${error.message}` : error.message ?? String(error));
    }
    const tensors = inputs.map(({ data, shape }) => new Tensor(data, shape));
    let results = [];
    try {
      results = await compiled.run(tensors);
      const outputs = results.map((result) => {
        const data = result.toTypedArray().slice();
        return { name: 'y', type: ourTypes.get(data.constructor), shape: result.type.layout.dimensions, data };
      });
      return { outputs };
    } finally {
      for (const thing of [...tensors, ...results, compiled]) thing.delete();
    }
  }
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  return { version, details: { isa: relaxed ? 'wasm relaxed-simd' : 'wasm simd128' }, run };
}

await serve(open);
