/** `node schemas/types.mjs`: TypeScript types of everything on the event stream, out of events.json.
 *
 * The compiler is the one that makes the API's types, so both read the same way; it wants an OpenAPI document, so the
 * schemas are put into one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const folder = new URL('.', import.meta.url);
const { events } = JSON.parse(readFileSync(new URL('events.json', folder), 'utf8').replaceAll('#/$defs/', '#/components/schemas/'));

const schemas = {};
for (const { $defs, ...event } of Object.values(events)) Object.assign(schemas, $defs, { [event.title]: event });

const document = { openapi: '3.1.0', info: { title: 'Events', version: '1' }, paths: {}, components: { schemas } };
const names = Object.entries(events).map(([name, { title }]) => `    ${name}: components["schemas"]["${title}"];\n`);
const text = `// Written by schemas/types.mjs out of schemas/events.json; do not edit.
/** By the names they have on the stream. */
export interface Events {
${names.join('')}}
${astToString(await openapiTS(document))}`;
writeFileSync(new URL('../src/lib/events/schema.d.ts', folder), text);
