/** A chart as a PNG to be taken along: light, with its title, and large enough for a slide. */
import type { Chart } from './chart';
import { lightLook } from './look';
import { chartOption } from './option';
import { heightOf } from './size';
import type { ChartWords } from './words';

const WIDTH = 1_000;
const HEIGHT = 562;

export async function chartPicture(chart: Chart, words: ChartWords): Promise<Blob> {
  const { init } = await import('./echarts');
  const look = lightLook();
  const drawn = init(document.createElement('div'), null, { width: WIDTH, height: Math.max(HEIGHT, heightOf(chart) ?? 0) });
  try {
    drawn.setOption(chartOption(chart, look, words, { titled: true }));
    const canvas = drawn.renderToCanvas({ pixelRatio: 2, backgroundColor: look.ground });
    return await new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture')))));
  } finally {
    drawn.dispose();
  }
}
