/** Mails that were not sent yet, as the server knows them. */
import { api, take } from '../api/client';
import type { Mail } from '../api/types';
import { live } from '../state/live.svelte';
import { sayProblem } from '../state/say';

const AT_ONCE = 50;

/** Those to one person, or all. */
export async function unsentMails(userId?: string): Promise<Mail[]> {
  const query = { limit: AT_ONCE, ...(userId ? { userId } : {}) };
  return (await take(api.GET('/api/mails', { params: { query } }))).items;
}

export async function sendAgain(mail: Mail): Promise<void> {
  await take(api.POST('/api/mails/{mailId}/retry', { params: { path: { mailId: mail.id } } })).catch(sayProblem);
  live.changed('user');
}

export async function dismiss(mail: Mail): Promise<void> {
  await take(api.DELETE('/api/mails/{mailId}', { params: { path: { mailId: mail.id } } })).catch(sayProblem);
  live.changed('user');
}
