/** A conversation beside what it is about. */
import type { Snippet } from 'svelte';
import type { NewMessage } from './input';

export interface Beside {
  close?: () => void;
  /** What is there while nothing has been said. */
  begin?: Snippet<[(message: NewMessage) => Promise<void>]>;
}
