/** Answers can overtake each other: only the one to the newest question counts. */
export class Newest {
  #asked = 0;

  /** To be called before asking; what it returns says whether nothing has been asked since. */
  ask(): () => boolean {
    const own = ++this.#asked;
    return () => own === this.#asked;
  }
}
