// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime as WebAssembly: the model of a question becomes a session, which lives for that question.
const ortTypes = { f32: 'float32', f64: 'float64', f16: 'float16', bool: 'bool', i8: 'int8', u8: 'uint8', i16: 'int16', u16: 'uint16', i32: 'int32', u32: 'uint32', i64: 'int64', u64: 'uint64' };
const ourTypes = Object.fromEntries(Object.entries(ortTypes).map(([ours, theirs]) => [theirs, ours]));

/** `a.b.c=1` is an entry of the session's configuration: { a: { b: { c: '1' } } }. */
function nested(entries) {
  const root = {};
  for (const [key, value] of Object.entries(entries)) {
    const path = key.split('.');
    const last = path.pop();
    path.reduce((at, part) => (at[part] ??= {}), root)[last] = value;
  }
  return root;
}

async function open({ folder, level, config }) {
  const ort = (await import(pathToFileURL(`${folder}/dist/ort.wasm.bundle.min.mjs`))).default;
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'fatal';
  const options = { executionProviders: ['wasm'], graphOptimizationLevel: level, logSeverityLevel: 4, extra: nested(config) };

  function toTensor({ type, shape, data }) {
    if (!(type in ortTypes)) throw new Refusal(`onnxruntime-web has no tensors of ${type}`);
    return new ort.Tensor(ortTypes[type], data, shape);
  }
  async function run({ model, inputs }) {
    const tensors = Object.fromEntries(inputs.map((input) => [input.name, toTensor(input)]));
    let session;
    try {
      session = await ort.InferenceSession.create(model, options);
    } catch (error) {
      throw isSpoiled(error) ? error : new Refusal(error.message ?? String(error));
    }
    try {
      const feeds = Object.fromEntries(session.inputNames.map((name) => [name, tensors[name]]));
      const results = await session.run(feeds);
      return { outputs: session.outputNames.map((name) => ({ name, type: ourTypes[results[name].type], shape: results[name].dims, data: results[name].data })) };
    } catch (error) {
      // Cases are well-formed by the page before they are sent: what is refused while running is a refusal, too.
      throw isSpoiled(error) ? error : new Refusal(error.message ?? String(error));
    } finally {
      await session.release();
    }
  }
  await ort.InferenceSession.create(new Uint8Array(0)).catch(() => {});  // the engine is loaded before the first question
  return { version: ort.env.versions.web ?? ort.env.versions.common, details: { isa: 'wasm simd128' }, run };
}

await serve(open);
