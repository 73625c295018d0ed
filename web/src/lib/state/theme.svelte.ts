/** Light, dark, or as the system has it; remembered on this device so that the next page begins with it. */
import type { Theme } from '../api/types';
import { recall, remember } from '../device';

class ThemeState {
  choice = $state<Theme>((recall('theme') as Theme | null) ?? 'system');

  use(choice: Theme): void {
    this.choice = choice;
    remember('theme', choice);
    const root = document.documentElement;
    if (choice === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = choice;
  }
}

export const theme = new ThemeState();
