// SPDX-License-Identifier: Apache-2.0
// What runs inside of node: questions from stdin, answers to stdout, one after the other. A frame is the length of a JSON text (4 bytes, little-endian),
// the text, and the bytes that it announces. A backend's script follows this one and ends with `await serve(open)`.
import { readSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

console.log = console.info = console.debug = console.error;  // stdout carries answers

/** This backend does not do this: another thing than a failure. */
class Refusal extends Error {}

const arrays = {
  f32: Float32Array, f64: Float64Array, f16: Uint16Array, bf16: Uint16Array, bool: Uint8Array, i8: Int8Array, u8: Uint8Array, i16: Int16Array,
  u16: Uint16Array, i32: Int32Array, u32: Uint32Array, i64: BigInt64Array, u64: BigUint64Array,
};

function readExactly(count) {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count;) {
    const got = readSync(0, bytes, at, count - at, null);
    if (got === 0) return null;
    at += got;
  }
  return bytes;
}

function readQuestion() {
  const length = readExactly(4);
  if (length === null) return null;
  const question = JSON.parse(new TextDecoder().decode(readExactly(new DataView(length.buffer).getUint32(0, true))));
  question.model = readExactly(question.model);
  for (const input of question.inputs) input.data = new arrays[input.type](readExactly(input.bytes).buffer);
  return question;
}

function writeAll(bytes) {
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at, bytes.length - at);
}

function writeAnswer(answer) {
  const payloads = (answer.outputs ?? []).map(({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const outputs = (answer.outputs ?? []).map(({ name, type, shape, data }) => ({ name, type, shape: Array.from(shape, Number), bytes: data.byteLength }));
  const text = new TextEncoder().encode(JSON.stringify({ ...answer, outputs }));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, text.length, true);
  for (const bytes of [length, text, ...payloads]) writeAll(bytes);
}

/** After a trap or an abort nothing that WebAssembly answers can be relied on: a new process takes over. */
function isSpoiled(error) {
  return error instanceof WebAssembly.RuntimeError || /abort|unreachable|engine traps|out of memory|memory access/i.test(String(error?.message ?? error));
}

async function answerTo(backend, question) {
  try {
    return { status: 'ok', ...(await backend.run(question)) };
  } catch (error) {
    const reason = String(error?.message ?? error).slice(0, 2000);
    return { status: error instanceof Refusal ? 'unsupported' : 'error', reason, spoiled: isSpoiled(error) };
  }
}

/** `open` gets the settings and gives { version, details, run(question) -> { outputs } }. The first answer tells who is there. */
async function serve(open) {
  const backend = await open(JSON.parse(process.argv.at(-1)));
  writeAnswer({ status: 'ok', version: backend.version, details: { ...backend.details, node: process.version } });
  for (let question = readQuestion(); question !== null; question = readQuestion()) writeAnswer(await answerTo(backend, question));
  process.exit(0);
}
