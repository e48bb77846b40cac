import { Links } from '#libs/payloads';
import { Controller, HttpCode, HttpException, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../layers/edge/caller.js';
import { Scopes } from '../layers/oauth/required-scopes.js';
import { ResourceServer } from '../layers/oauth/resources.js';
import { RpcError, parseMessage } from './json-rpc.js';
import { McpMethodsService } from './mcp-methods.service.js';
import { revisionOf } from './revisions.js';

/** The Model Context Protocol over HTTP. Each tool has scopes of its own. */
@Controller('mcp')
@ResourceServer('mcp')
@Scopes()
export class McpController {
  constructor(
    private readonly methods: McpMethodsService,
    private readonly links: Links,
  ) {}

  @Post()
  @HttpCode(200)
  async receive(
    @Caller() caller: Caller,
    @Req() { body, headers: { origin, ...headers } }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    // A page that rebinds its DNS name to this server keeps its own origin.
    if (origin !== undefined && origin !== new URL(this.links.base).origin)
      throw new HttpException({ error: 'other_origin', detail: 'Pages of other sites cannot use this address.' }, 403);
    try {
      const message = parseMessage(body);
      // Nothing is done for a notification.
      if (message.id === undefined) return void reply.status(202);
      const result = await this.methods.answer(caller, message, revisionOf(message, headers));
      return { jsonrpc: '2.0', id: message.id, result };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      void reply.status(error.status);
      return error.answer(body);
    }
  }
}
