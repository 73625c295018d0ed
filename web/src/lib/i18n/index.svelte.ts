/** The language of the page: texts, plurals, dates, numbers. Changing it redraws everything, without a reload. What is not
 * needed to draw the first page is in `later/`, fetched with the first part that is opened, or the first problem there is. */
import type { Language } from '../api/types';
import { recall, remember } from '../device';
import { Newest } from '../state/newest';
import type en from './en.json';
import { fill, joined, money, pickLanguage, plural, relative, span, wait, type Params } from './format';
import type laterEn from './later/en.json';

export type Key = keyof typeof en | keyof typeof laterEn;
type PluralKey = { [K in Key]: K extends `${infer Base}.other` ? Base : never }[Key];

export const LANGUAGES: Record<Language, string> = {
  de: 'Deutsch',
  en: 'English',
  fr: 'Français',
  pt: 'Português',
  zh: '中文',
};
const KNOWN = Object.keys(LANGUAGES) as Language[];

type Texts = Record<string, string>;
type Loaders = Record<Language, () => Promise<{ default: Texts }>>;

const FIRST: Loaders = {
  de: () => import('./de.json'),
  en: () => import('./en.json'),
  fr: () => import('./fr.json'),
  pt: () => import('./pt.json'),
  zh: () => import('./zh.json'),
};
const LATER: Loaders = {
  de: () => import('./later/de.json'),
  en: () => import('./later/en.json'),
  fr: () => import('./later/fr.json'),
  pt: () => import('./later/pt.json'),
  zh: () => import('./later/zh.json'),
};

class I18n {
  language = $state<Language>('en');
  messages = $state.raw<Texts>({});
  #wantsAll = false;
  #hasAll = false;
  #newest = new Newest();
  /** How many choices of the user wait for their texts. */
  #choosing = 0;

  /** Begin with the language of this device, else one the browser prefers. */
  start(): Promise<void> {
    const wishes = [recall('language') ?? '', ...navigator.languages];
    return this.use(pickLanguage(wishes, KNOWN, 'en'));
  }

  async use(language: Language): Promise<void> {
    const isNewest = this.#newest.ask();
    if (language === this.language && Object.keys(this.messages).length > 0) return;
    const messages = await this.#fetch(language);
    if (!isNewest()) return; // another one was chosen meanwhile
    this.messages = messages;
    this.language = language;
    document.documentElement.lang = language;
    remember('language', language);
  }

  /** As the user wants it. */
  async choose(language: Language): Promise<void> {
    this.#choosing += 1;
    try {
      await this.use(language);
    } finally {
      this.#choosing -= 1;
    }
  }

  /** As the profile has it, unless the user is choosing right now: the profile will hear of that. */
  async follow(language: Language): Promise<void> {
    if (this.#choosing === 0) await this.use(language);
  }

  /** From now on also the texts of `later/`, in whatever language. */
  async all(): Promise<void> {
    if (this.#hasAll) return;
    this.#wantsAll = true;
    const { language } = this;
    const messages = await this.#fetch(language);
    if (language === this.language) this.messages = messages; // else it was changed meanwhile, and has all of them
    this.#hasAll = true;
  }

  async #fetch(language: Language): Promise<Texts> {
    const all = this.#wantsAll;
    const [first, later] = await Promise.all([FIRST[language](), all ? LATER[language]() : { default: {} }]);
    if (all !== this.#wantsAll) return this.#fetch(language); // the settings were opened meanwhile
    return { ...first.default, ...later.default };
  }

  /** The browser's own variant of the language, for dates and numbers: de-CH rather than de, if it says so. */
  get locale(): string {
    const home = { de: 'de-CH', en: 'en-GB', fr: 'fr-CH', pt: 'pt-BR', zh: 'zh-CN' }[this.language];
    return navigator.languages.find((wish) => wish.includes('-') && wish.split('-')[0] === this.language) ?? home;
  }
}

export const i18n = new I18n();

/** For parts of the page that are fetched when first opened: with them come the texts of `later/`. */
export function later<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return async () => (await Promise.all([load(), i18n.all()]))[0];
}

export function t(key: Key, params?: Params): string {
  return fill(i18n.messages[key] ?? key, params);
}

/** The text of a key made at run time, or undefined when there is none. */
export function tMaybe(key: string, params?: Params): string | undefined {
  const text = i18n.messages[key];
  return text === undefined ? undefined : fill(text, params);
}

export function tn(key: PluralKey, count: number, params?: Params): string {
  return fill(plural(i18n.messages, i18n.language, key, count), { count: formatNumber(count), ...params });
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(i18n.locale).format(value);
}

export function formatPercent(share: number): string {
  return joined(new Intl.NumberFormat(i18n.locale, { style: 'percent' }).format(share));
}

/** An amount in CHF as the server writes it: a decimal number as text. */
export function formatMoney(amount: string): string {
  return money(Number(amount), i18n.locale);
}

export function formatSpan(ms: number): string {
  return span(ms, i18n.locale);
}

export function formatWait(seconds: number): string {
  return wait(seconds, i18n.locale);
}

export function formatDate(iso: string): string {
  return new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium' }).format(new Date(iso));
}

export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

export function formatTimeOfDay(iso: string): string {
  return new Intl.DateTimeFormat(i18n.locale, { timeStyle: 'short' }).format(new Date(iso));
}

export function formatAgo(iso: string, now: number): string {
  return relative((new Date(iso).getTime() - now) / 1000, i18n.locale);
}
