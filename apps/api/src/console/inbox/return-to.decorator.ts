import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Form } from '../../pages/form.js';
import { type InboxQuery, inboxQuery } from './inbox-query.js';

/** The list that a form was sent from, so that its answer leads back there. Only ever a query: it can name no other site. */
export const Back = createParamDecorator((_: unknown, context: ExecutionContext): InboxQuery => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  return inboxQuery(Object.fromEntries(new URLSearchParams(new Form(body).text('back'))));
});
