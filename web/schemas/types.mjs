/** `node schemas/types.mjs`: TypeScript types of everything on the event stream, of what orders to the page and widgets
 * carry, out of events.json.
 *
 * The compiler is the one that makes the API's types, so both read the same way; it wants an OpenAPI document, so the
 * schemas are put into one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const folder = new URL('.', import.meta.url);
const { events, actions, widgets } = JSON.parse(readFileSync(new URL('events.json', folder), 'utf8').replaceAll('#/$defs/', '#/components/schemas/'));

const schemas = {};
for (const { $defs, ...one } of [...Object.values(events), ...Object.values(actions), ...Object.values(widgets)]) Object.assign(schemas, $defs, { [one.title]: one });

const document = { openapi: '3.1.0', info: { title: 'Events', version: '1' }, paths: {}, components: { schemas } };
const names = (all) => Object.entries(all).map(([name, { title }]) => `    ${name}: components["schemas"]["${title}"];\n`).join('');
const text = `// Written by schemas/types.mjs out of schemas/events.json; do not edit.
/** By the names they have on the stream. */
export interface Events {
${names(events)}}
/** What orders to the page carry, by their types. */
export interface Actions {
${names(actions)}}
/** What widgets draw, by the types of the actions that show them. */
export interface Widgets {
${names(widgets)}}
${astToString(await openapiTS(document))}`;
writeFileSync(new URL('../src/lib/events/schema.d.ts', folder), text);
