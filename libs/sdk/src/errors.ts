/** The body of an error response (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly request_id?: string;
  readonly error: string;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
}

/** An error response. `code` is stable; the message is for people. */
export class DeskwireError extends Error {
  override readonly name = 'DeskwireError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;

  constructor(readonly problem: Problem) {
    const faults = problem.errors?.map(({ field, message }) => `${field}: ${message}`) ?? [];
    super([problem.detail, ...faults].join(' '));
    this.status = problem.status;
    this.code = problem.error;
    this.requestId = problem.request_id;
  }

  static of(response: Response, text: string): DeskwireError {
    const requestId = response.headers.get('x-request-id');
    return new DeskwireError({
      type: 'about:blank',
      title: response.statusText,
      status: response.status,
      detail: `The server responded with ${response.status}.`,
      error: 'unexpected_answer',
      ...(requestId !== null && { request_id: requestId }),
      ...problemIn(text),
    });
  }
}

/** Empty for other bodies, such as a proxy's error page. */
function problemIn(text: string): Partial<Problem> {
  const value = parsed(text);
  return typeof value === 'object' && value !== null && 'error' in value ? (value as Problem) : {};
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** There was no complete response; see `cause`. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure';

  constructor(cause: unknown) {
    super(`No response: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }

  /** Wraps failures of network calls only: any other failure would repeat. */
  static async of<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw new NetworkFailure(error);
    }
  }
}
