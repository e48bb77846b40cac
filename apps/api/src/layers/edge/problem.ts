import { STATUS_CODES } from 'node:http';
import type { FieldError } from '#libs/entities';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** RFC 9110 has renamed two. */
const TITLES: Readonly<Record<string, string | undefined>> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

export interface HttpProblem {
  readonly status: number;
  readonly error: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type SendProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** RFC 9457 with a stable code and the request id. */
export function problemBody(fault: HttpProblem, request: { path: string; id: string }) {
  return {
    type: `/docs/errors#${fault.error}`,
    title: TITLES[fault.status] ?? 'Error',
    status: fault.status,
    detail: fault.detail,
    instance: cut(request.path, MAX_SENTENCE),
    request_id: request.id,
    error: fault.error,
    ...(fault.errors && fault.errors.length > 0 && { errors: fault.errors }),
    ...fault.members,
  };
}

/** Bound what a problem repeats of the request. */
export const MAX_ERRORS = 10;
const MAX_NAME = 100;
const MAX_SENTENCE = 1000;

export function boundedProblem(fault: HttpProblem): HttpProblem {
  const errors = fault.errors?.slice(0, MAX_ERRORS).map(({ field, code, message }) => ({
    field: cut(field, MAX_NAME),
    code,
    message: cut(message, MAX_SENTENCE),
  }));
  return { ...fault, detail: cut(fault.detail, MAX_SENTENCE), ...(errors && { errors }) };
}

/** Drops half of a surrogate pair at the end. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;
