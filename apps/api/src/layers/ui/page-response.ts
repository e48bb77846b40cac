import type { FieldError } from '#libs/entities';
import { HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

export type PageResponse = PageContent | Redirect;

export interface PageContent {
  readonly view: VNode;
  readonly status?: number;
  /** Allows remote pictures, after the person asked for those of a message. */
  readonly images?: boolean;
  /** Another origin that a form may send to, also by a redirect. */
  readonly formTarget?: string;
  readonly cookies?: readonly string[];
  readonly retryAfterSeconds?: number;
  readonly form?: Partial<FormState>;
}

export interface FormState {
  readonly values: Readonly<Record<string, string>>;
  readonly error: string | null;
  readonly faults: readonly FieldError[];
  /** The result of a form that changed nothing. */
  readonly result?: string;
}

export interface UndoForm {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface PageNotice {
  readonly tone: 'good' | 'bad';
  readonly text: string;
  /** Only the page of this ticket shows it. */
  readonly ticket?: number;
  /** The end of the undo. A countdown follows the text. */
  readonly until?: Date;
  readonly undo?: UndoForm;
}

export interface Redirect {
  readonly redirect: string;
  readonly notice?: PageNotice;
  readonly cookies?: readonly string[];
}

export const redirectWithNotice = (
  redirect: string,
  text: string,
  tone: PageNotice['tone'] = 'good',
): PageResponse => ({ redirect, notice: { tone, text } });

/** Thrown by a guard. Pages redirect to sign in; other routes return 401. */
export class SignInRequired extends HttpException {
  constructor(readonly redirect?: Redirect) {
    super({ error: 'sign_in_first', detail: 'Sign in first.' }, 401);
  }
}

export function renderPage(reply: FastifyReply, answer: PageResponse): string {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) void reply.header(name, value);
  if (answer.cookies?.length) void reply.header('set-cookie', answer.cookies);
  if ('redirect' in answer) {
    void reply.status(303).header('location', inAscii(answer.redirect));
    return '';
  }
  if (answer.retryAfterSeconds) void reply.header('retry-after', answer.retryAfterSeconds);
  void reply
    .status(answer.status ?? 200)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy(answer));
  return `<!doctype html>${renderToString(answer.view)}`;
}

/** Path parameters arrive decoded, but headers only take ASCII. */
const inAscii = (address: string): string =>
  Buffer.from(address)
    .toString()
    .replaceAll(/[^!-~]+/g, (part) => encodeURIComponent(part));

/** Addresses of pages contain codes and customers’ emails, so they must not be cached, framed or leaked. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  // With `no-referrer`, browsers would also hide the origin of our own forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
} as const;

function contentSecurityPolicy({ formTarget, images }: PageContent): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src 'self' data:${images ? ' https: http:' : ''}`,
    "connect-src 'self'",
    `form-action 'self'${formTarget ? ` ${formTarget}` : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
