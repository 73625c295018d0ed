/** Which parts of a layer were drawn empty, so that somebody who sees nothing of it knows why. In doubt it is not said. Pure. */

/** Of a tile that was loaded: whether nothing is on it. Unknown when it cannot be looked at, being another server's. */
export class Blanks {
  #known = new Map<string, boolean>();

  learn(tile: string, blank: boolean | undefined): void {
    if (blank === undefined) this.#known.delete(tile);
    else this.#known.set(tile, blank);
  }

  /** All of them are there, and nothing is on any. */
  areAll(tiles: readonly string[]): boolean {
    return tiles.length > 0 && tiles.every((tile) => this.#known.get(tile) === true);
  }
}

/** Of pixels as red, green, blue and how opaque: nothing is seen. */
export function isClear(pixels: Uint8ClampedArray): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) return false;
  return true;
}
