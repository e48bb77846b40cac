/** Each wire format maps the kind to its own status. */
export type DomainErrorKind =
  | 'bad_request'
  | 'not_found'
  | 'invalid'
  | 'forbidden'
  | 'conflict'
  | 'precondition_failed'
  | 'too_large'
  | 'too_many'
  | 'unavailable';

export interface FieldError {
  /** The client’s name for it: snake_case, nested with dots. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export type ExistingWebhook = { readonly id: string; readonly href: string; readonly event: string };

/** A violated rule, with a stable code and a public message. */
export class DomainError extends Error {
  /** Members of the problem besides the usual ones (RFC 9457). */
  readonly members?: Readonly<Record<string, unknown>>;

  constructor(
    readonly kind: DomainErrorKind,
    readonly code: string,
    sentence: string,
    readonly fieldErrors: readonly FieldError[] = [],
  ) {
    super(sentence);
  }
}

/** The record does not exist or belongs to another account. */
export class NotFound extends DomainError {
  constructor(what: string) {
    super('not_found', `${what}_not_found`, `There is no such ${what.replaceAll('_', ' ')}.`);
  }
}

/** Null, undefined and false stand for an absent record. */
export function existing<T>(record: T | null | undefined | false, what: string): T {
  if (record === null || record === undefined || record === false) throw new NotFound(what);
  return record;
}

export class InvalidField extends DomainError {
  constructor(field: string, code: string, sentence: string) {
    super('invalid', 'invalid_request', sentence, [{ field, code, message: sentence }]);
  }
}

export class AlreadyRegistered extends InvalidField {
  /** `existing` are webhooks of the caller that are in the way. */
  override readonly members: { readonly existing: readonly ExistingWebhook[] };

  constructor(webhooks: readonly ExistingWebhook[]) {
    const events = webhooks.map(({ event }) => event).join(', ');
    super('url', 'already_registered', `url already has a webhook for ${events || 'this event'}`);
    this.members = { existing: webhooks };
  }
}

export class InvalidFields extends DomainError {
  constructor(fields: readonly InvalidField[]) {
    const sentence = fields.map(({ message }) => message).join('; ');
    const errors = fields.flatMap(({ fieldErrors }) => fieldErrors);
    super('invalid', 'invalid_request', sentence, errors);
  }
}

const errorOf = (kind: DomainErrorKind) =>
  class extends DomainError {
    constructor(code: string, sentence: string, fieldErrors?: readonly FieldError[]) {
      super(kind, code, sentence, fieldErrors);
    }
  };

export class Forbidden extends errorOf('forbidden') {}
export class Conflict extends errorOf('conflict') {}
/** The ticket has no messages any more. */
export class MergedTicket extends Conflict {
  override readonly members: { readonly merged_into: number };

  constructor(
    readonly number: number,
    readonly into: number,
  ) {
    super('merged', `Ticket #${number} was merged into #${into}.`);
    this.members = { merged_into: into };
  }
}
export class TooLarge extends errorOf('too_large') {}

/** `missing` is for programs (RFC 6750). */
export class InsufficientScope extends DomainError {
  constructor(readonly missing: readonly string[]) {
    const noun = missing.length > 1 ? 'scopes' : 'scope';
    super('forbidden', 'insufficient_scope', `This needs a token with the ${noun} ${missing.join(' and ')}.`);
  }
}

export class PreconditionFailed extends DomainError {
  constructor() {
    super('precondition_failed', 'precondition_failed', 'The record has changed since you read it. Read it again.');
  }
}

export class TooMany extends DomainError {
  constructor(
    code: string,
    sentence: string,
    readonly retryAfterSeconds: number,
  ) {
    super('too_many', code, sentence);
  }
}

/** Files are rejected while the database on the same disk still needs the space. */
export class StorageFull extends DomainError {
  constructor() {
    const sentence =
      'There is no room for files at the moment. Nothing was changed. Requests without files still work.';
    super('unavailable', 'storage_full', sentence);
  }
}

/** A dependency does not respond or is overloaded. `cause` is for the log. */
export class Unavailable extends DomainError {
  constructor(code: string, sentence: string, cause?: unknown) {
    super('unavailable', code, sentence);
    this.cause = cause;
  }
}
