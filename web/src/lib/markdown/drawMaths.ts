/** Draws formulas by KaTeX, which is fetched with the first of them. As MathML: browsers draw that themselves, and screen readers
 * read it; it needs no styles of its own, which the content security policy refuses. */
type Katex = typeof import('katex').default;

const LONGEST = 5_000;
let katex: Katex | undefined;
let pending: Promise<void> | undefined;

/** At once if it can be; else when KaTeX is there. A formula that has an error stays as it was written. */
export function drawMaths(root: ParentNode): void {
  const places = [...root.querySelectorAll<HTMLElement>('code[data-math]')];
  if (places.length === 0) return;
  if (katex) return places.forEach((place) => draw(place, katex!));
  pending ??= import('katex').then(
    (found) => void (katex = found.default),
    () => void (pending = undefined),
  );
  void pending.then(() => katex && places.forEach((place) => draw(place, katex!)));
}

function draw(place: HTMLElement, { render }: Katex): void {
  const tex = place.textContent ?? '';
  if (tex.length > LONGEST || !place.dataset['math']) return;
  const box = document.createElement('span');
  box.className = `math ${place.dataset['math']}`;
  try {
    render(tex, box, { output: 'mathml', displayMode: place.dataset['math'] === 'block', throwOnError: true, trust: false, strict: 'ignore', maxExpand: 200, maxSize: 20 });
    place.replaceWith(box);
  } catch {
    place.removeAttribute('data-math'); // while an answer grows, its last formula is often half a one
  }
}
