/** Language and theme as the user changes them: at once on the screen, then in the profile when signed in. */
import { Problem } from '../api/problem';
import type { Language, Theme } from '../api/types';
import { i18n } from '../i18n/index.svelte';
import { sayProblem } from './say';
import { session } from './session.svelte';
import { theme } from './theme.svelte';

export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await i18n.choose(language);
  } catch {
    return sayProblem(Problem.network()); // its texts could not be fetched
  }
  if (i18n.language === language) await keep({ language }); // else another one was chosen meanwhile
}

export async function chooseTheme(choice: Theme): Promise<void> {
  theme.use(choice);
  await keep({ theme: choice });
}

async function keep(change: { language?: Language; theme?: Theme }): Promise<void> {
  if (session.status !== 'in') return;
  try {
    await session.changeMe(change);
  } catch (cause) {
    sayProblem(Problem.of(cause));
  }
}
