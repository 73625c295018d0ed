/** What went wrong, as the server says it: a code to translate, a message as a fallback, details for the form. */

export class Problem extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status = 0,
    readonly traceId = '',
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'Problem';
  }

  static network(): Problem {
    return new Problem('network', 'The server did not answer.');
  }

  static from(body: unknown, response: Pick<Response, 'status' | 'headers'>): Problem {
    const { code, message, traceId, details } = (isRecord(body) ? body : {}) as Record<string, unknown>;
    const known = typeof code === 'string';
    const facts = isRecord(details) ? { ...details } : {};
    const retryAfter = Number(response.headers.get('retry-after'));
    if (retryAfter > 0 && facts['retryAfter'] === undefined) facts['retryAfter'] = retryAfter;
    return new Problem(
      known ? code : codeOfStatus(response.status),
      typeof message === 'string' ? message : '',
      response.status,
      typeof traceId === 'string' ? traceId : '',
      facts,
    );
  }

  static of(cause: unknown): Problem {
    return cause instanceof Problem ? cause : new Problem('unexpected', cause instanceof Error ? cause.message : String(cause));
  }

  /** Names among the details, in one line. */
  list(name: string): string {
    const given = this.details[name];
    return Array.isArray(given) ? given.join(', ') : String(given ?? '');
  }

  /** The form field this is about, if it is about one; the first of several. */
  get field(): string | undefined {
    return this.fields[0];
  }

  /** All form fields this is about. */
  get fields(): string[] {
    const { field, fields } = this.details;
    const named = field === undefined && Array.isArray(fields) ? fields.map((item: unknown) => isRecord(item) && item['field']) : [field];
    const found = named.filter((name) => typeof name === 'string').map((name) => camel(name.split('.').at(-1) ?? name));
    const usual = FIELD_OF_CODE[this.code];
    return found.length > 0 || usual === undefined ? found : [usual];
  }
}

const FIELD_OF_CODE: Record<string, string> = { loginTaken: 'login', slugTaken: 'slug', skillExists: 'name', skillTooLong: 'instructions', weakPassword: 'newPassword', keyRefused: 'key', noModelList: 'baseUrl', addressUnreachable: 'baseUrl', noModelsThere: 'baseUrl', noSuchModel: 'models' };

// A proxy in between answers without our error shape; its status still says enough.
function codeOfStatus(status: number): string {
  const codes: Record<number, string> = { 401: 'unauthenticated', 403: 'forbidden', 404: 'notFound', 409: 'conflict' };
  if (status === 413) return 'tooLarge';
  if (status === 429) return 'tooManyRequests';
  if (status === 502 || status === 503 || status === 504) return 'network';
  return codes[status] ?? 'unexpected';
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
