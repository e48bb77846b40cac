import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Controller, HttpCode, HttpException, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../layers/edge/caller.js';
import { Scopes } from '../layers/oauth/required-scopes.js';
import { ResourceServer } from '../layers/oauth/resources.js';
import { RpcError, idOf, parseMessage, rpcError, rpcResult } from './json-rpc.js';
import { McpMethodsService } from './mcp-methods.service.js';
import { revisionOf } from './revisions.js';

/** The Model Context Protocol over HTTP. Each tool has scopes of its own. */
@Controller('mcp')
@ResourceServer('mcp')
@Scopes()
export class McpController {
  private readonly origin: string;

  constructor(
    private readonly methods: McpMethodsService,
    @Inject(SETTINGS_TOKEN) { PUBLIC_URL }: Settings,
  ) {
    this.origin = new URL(PUBLIC_URL).origin;
  }

  @Post()
  @HttpCode(200)
  async receive(
    @Caller() caller: Caller,
    @Req() { body, headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    if (headers.origin !== undefined && headers.origin !== this.origin) throw otherOrigin();
    try {
      const message = parseMessage(body);
      // Nothing is done for a notification.
      if (message.id === undefined) return void reply.status(202);
      const revision = revisionOf(message, headers);
      return rpcResult(message.id, await this.methods.answer(caller, message, revision));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      void reply.status(error.status);
      return rpcError(idOf(body), error);
    }
  }
}

/** A page that rebinds its DNS name to this server keeps its own origin. */
const otherOrigin = (): HttpException =>
  new HttpException({ error: 'other_origin', detail: 'Pages of other sites cannot use this address.' }, 403);
