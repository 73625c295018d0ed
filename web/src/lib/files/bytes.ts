/** A size as people say it: "0 byte", "812 byte", "1.4 MB". */
import { joined } from '../i18n/format';
import { i18n } from '../i18n/index.svelte';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < UNITS.length - 1; unit += 1) value /= 1000;
  const maximumFractionDigits = unit > 0 && value < 10 ? 1 : 0;
  return joined(new Intl.NumberFormat(i18n.locale, { style: 'unit', unit: UNITS[unit]!, unitDisplay: unit === 0 ? 'long' : 'short', maximumFractionDigits }).format(value));
}
