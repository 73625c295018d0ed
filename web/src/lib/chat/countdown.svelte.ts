/** Seconds that are left, counted down as they pass, or with `upwards` those that have passed; from the beginning whenever
 * `seconds` returns another number. */
export function countdown(seconds: () => number, upwards: () => boolean = () => false): { readonly left: number } {
  const given = $derived(seconds());
  let left = $derived(given);
  $effect(() => {
    if (given === 0) return undefined;
    const timer = setInterval(() => (left = Math.max(0, left + (upwards() ? 1 : -1))), 1_000);
    return () => clearInterval(timer);
  });
  return {
    get left() {
      return left;
    },
  };
}
