import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FormFields } from '../../pages/form-fields.js';
import { type InboxQuery, parseInboxQuery } from './inbox-query.js';

/** The list that a form was sent from, to return to it. It is only a query, so it cannot name another site. */
export const ReturnTo = createParamDecorator((_: unknown, context: ExecutionContext): InboxQuery => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  return parseInboxQuery(Object.fromEntries(new URLSearchParams(new FormFields(body).text('back'))));
});
