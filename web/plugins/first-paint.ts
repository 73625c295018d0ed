/** A tiny classic script in the head, so that theme and language are right before the first paint.
 *
 * Modules run after parsing and inline scripts are refused by the content security policy; this one is an external,
 * hashed, minified file that blocks for a few hundred bytes.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { transformWithEsbuild, type Plugin } from 'vite';

export function firstPaint(source: string): Plugin {
  const built = async () => {
    const { code } = await transformWithEsbuild(readFileSync(source, 'utf8'), source, { minify: true });
    const hash = createHash('sha256').update(code).digest('hex').slice(0, 8);
    return { code, fileName: `assets/first-paint-${hash}.js` };
  };
  return {
    name: 'first-paint',
    async generateBundle() {
      const { code, fileName } = await built();
      this.emitFile({ type: 'asset', fileName, source: code });
    },
    async transformIndexHtml(_html, context) {
      const src = context.server ? `/${source}` : `/${(await built()).fileName}`;
      return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
    },
  };
}
