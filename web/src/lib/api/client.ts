/** The typed door to the server. Types are generated from openapi.json; what goes wrong comes out as a `Problem`. */
import createClient from 'openapi-fetch';
import { Problem } from './problem';
import type { paths } from './schema';

export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });

type Answer<T> = { data?: T; error?: unknown; response: Response };

let onSignedOut: () => void = () => {};

/** Called once by the session: an answer 401 `unauthenticated` anywhere means that the session has ended. */
export function whenSignedOut(callback: () => void): void {
  onSignedOut = callback;
}

/** Wait for an answer and take its body; throws a `Problem` for everything else. */
export async function take<T>(pending: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await pending;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw Problem.network();
  }
  if (answer.response.ok) return answer.data as T;
  const problem = Problem.from(answer.error, answer.response);
  if (problem.code === 'unauthenticated') onSignedOut();
  throw problem;
}
