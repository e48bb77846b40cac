import { MAX_ATTACHMENTS } from '#libs/entities';
import { Links } from '#libs/payloads';
import { AttachmentsService } from '#libs/tickets';
import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller } from '../layers/edge/caller.js';
import { AcceptsFiles, uploadsOf } from '../layers/edge/multipart-form.js';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { ScopesByMethod } from '../layers/oauth/required-scopes.js';
import { AttachmentsQueryDto } from './attachments.dto.js';

@Controller('v1')
@ScopesByMethod('tickets:read', 'messages:write')
export class AttachmentsController {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly links: Links,
  ) {}

  @Post('messages/:id/attachments')
  @AcceptsFiles()
  @ApiOperation('Attach files to a message, all of them or none', {
    files: { most: MAX_ATTACHMENTS },
    createdAll: ['attachments', 'Attachment'],
  })
  async attachFiles(
    @Caller() caller: Caller,
    @Param('id', new IdentifierPipe('message')) id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const attachments = await this.attachments.attach(caller, id, uploadsOf(request));
    void reply.header('location', this.links.attachmentsOfMessage(id));
    return attachments;
  }

  @Get('attachments')
  @ApiOperation('List a message’s attachments', { list: ['attachments', 'Attachment'], canBeNotFound: true })
  listAttachments(@Caller() caller: Caller, @Query() query: AttachmentsQueryDto) {
    return this.attachments.list(caller, query.message, query.toQuery());
  }

  @Get('attachments/:id')
  @ApiOperation('Read an attachment, with an address of its bytes', { record: ['attachment', 'Attachment'] })
  readAttachment(@Caller() caller: Caller, @Param('id', new IdentifierPipe('attachment')) id: string) {
    return this.attachments.read(caller, id);
  }
}
