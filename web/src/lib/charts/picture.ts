/** A chart as a PNG to be taken along: light, with its title, and large enough for a slide. */
import type { Chart } from './chart';
import { lightLook } from './look';
import { chartOption } from './option';
import { heightOf } from './size';
import type { ChartWords } from './words';

const WIDTH = 1_000;
const HEIGHT = 562;
const MARGIN = 24;
const SHARP = 2; // pixels for each, in both directions

export async function chartPicture(chart: Chart, words: ChartWords): Promise<Blob> {
  const { init } = await import('./echarts');
  const look = lightLook();
  const height = Math.max(HEIGHT, heightOf(chart) ?? 0);
  const drawn = init(document.createElement('div'), null, { width: WIDTH - 2 * MARGIN, height: height - 2 * MARGIN });
  try {
    drawn.setOption(chartOption(chart, look, words, { titled: true }));
    const sheet = document.createElement('canvas');
    [sheet.width, sheet.height] = [WIDTH * SHARP, height * SHARP];
    const paper = sheet.getContext('2d')!;
    paper.fillStyle = look.ground;
    paper.fillRect(0, 0, sheet.width, sheet.height);
    paper.drawImage(drawn.renderToCanvas({ pixelRatio: SHARP }), MARGIN * SHARP, MARGIN * SHARP);
    return await new Promise((done, fail) => sheet.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture')))));
  } finally {
    drawn.dispose();
  }
}
