/** Which tiles of a layer are empty, so that the map can say that nothing of it is there. Tiles that cannot be read do not count.
 * Pure. */

/** Of loaded tiles: whether each is empty. Unknown when its pixels cannot be read, being another server's. */
export class EmptyTiles {
  #known = new Map<string, boolean>();

  record(tile: string, isEmpty: boolean | undefined): void {
    if (isEmpty === undefined) this.#known.delete(tile);
    else this.#known.set(tile, isEmpty);
  }

  /** All of them are loaded and empty. */
  includesAll(tiles: readonly string[]): boolean {
    return tiles.length > 0 && tiles.every((tile) => this.#known.get(tile) === true);
  }
}

/** Whether no pixel is visible; pixels are RGBA. */
export function isTransparent(pixels: Uint8ClampedArray): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) return false;
  return true;
}
