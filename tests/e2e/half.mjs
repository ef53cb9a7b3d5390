// A site's network in Node on Dawn, which is Chromium's WebGPU: for adapters with 16-bit floats, of which headless Chromium has none.
//     node half.mjs FOLDER_OF_NODE_WEBGPU ADDRESS_OF_SITE FOLDER_OF_SITE INPUT < values.f32 > outputs.json

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, address, site, input] = process.argv.slice(2);
const found = createRequire(`${folder}/`).resolve("webgpu");
const { create, globals } = await import(pathToFileURL(found));
Object.assign(globalThis, globals, { isSecureContext: true });
Object.defineProperty(globalThis, "navigator", { value: { gpu: create(["backend=vulkan"]) } });
const inTheNet = fetch;
globalThis.fetch = (place, options) => inTheNet(new URL(String(place).replace(pathToFileURL(`${site}/`), ""), address), options);

const { Engine } = await import(pathToFileURL(`${site}/engine.js`));
const engine = await Engine.make(await (await fetch("plan.json")).json(), { software: false });
const data = readFileSync(0);
const values = new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
const outputs = await engine.look.run({ [input]: values });
console.log(JSON.stringify({ features: engine.look.form.features, outputs: Object.values(outputs).map((each) => Array.from(each)) }));
process.exit(0);
