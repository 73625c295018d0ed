/** The colours of charts, out of the page's tokens: a canvas knows no custom properties. */

export interface Look {
  colours: string[];
  text: string;
  muted: string;
  line: string;
  ground: string;
  font: string;
  moves: boolean;
}

export const COLOURS = 8;

/** As `element` has them now, in light or dark. */
export function lookOf(element: Element): Look {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const colour = (token: string) => {
    probe.style.color = `var(--${token})`; // the browser resolves light-dark()
    return getComputedStyle(probe).color;
  };
  const look = {
    colours: Array.from({ length: COLOURS }, (_, at) => colour(`chart-${at + 1}`)),
    text: colour('text'),
    muted: colour('muted'),
    line: colour('line'),
    ground: colour('raised'),
    font: getComputedStyle(element).fontFamily,
    moves: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  };
  probe.remove();
  return look;
}

/** On paper, and for others: light, whatever this page is. */
export function lightLook(): Look {
  const sheet = document.createElement('div');
  sheet.style.colorScheme = 'light';
  sheet.hidden = true;
  document.body.append(sheet);
  const look = lookOf(sheet);
  sheet.remove();
  return { ...look, moves: false };
}
