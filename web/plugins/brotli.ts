/** Scripts, styles and pages are compressed once more while they are built: Brotli at its best takes an eighth off what gzip leaves,
 * and is too slow for the server to do at its start. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSED = /\.(?:html|js|css|svg|json|webmanifest|txt)$/;
const SMALL = 500;

export function brotli(): Plugin {
  return {
    name: 'brotli',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        if (!dir || !COMPRESSED.test(name) || content.length <= SMALL) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content, { params }));
      }
    },
  };
}
