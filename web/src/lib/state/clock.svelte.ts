/** The present minute, so that "3 minutes ago" stays true while the page is open. */

class Clock {
  now = $state(Date.now());

  constructor() {
    setInterval(() => (this.now = Date.now()), 30_000);
  }
}

export const clock = new Clock();
