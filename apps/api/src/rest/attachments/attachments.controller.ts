import { AttachmentsService } from '#libs/desk';
import { type Attachment, MAX_ATTACHMENTS } from '#libs/entities';
import { Links, attachmentPayload } from '#libs/payloads';
import { Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiOperation } from '../../docs/api-operation.js';
import { CreatedResponse, ListResponse } from '../../http/responses.js';
import { AcceptsFiles, uploadsOf } from '../../http/file-uploads.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { Caller } from '../../oauth/caller.js';
import { AttachmentsQueryDto } from './dto/attachments-query.dto.js';

@Controller('v1')
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
  async attach(
    @Caller() caller: Caller,
    @Param('id', new IdentifierPipe('message')) id: string,
    @Req() request: FastifyRequest,
  ) {
    const attachments = await this.attachments.attach(caller, id, uploadsOf(request));
    return new CreatedResponse(this.links.attachmentsOfMessage(id), { attachments: attachments.map(this.payload) });
  }

  @Get('attachments')
  @ApiOperation('List a message’s attachments', { list: ['attachments', 'Attachment'], canBeNotFound: true })
  async list(@Caller() caller: Caller, @Query() query: AttachmentsQueryDto) {
    return new ListResponse(
      'attachments',
      await this.attachments.list(caller, query.message, query.toQuery()),
      this.payload,
    );
  }

  @Get('attachments/:id')
  @ApiOperation('Read an attachment, with an address of its bytes', { record: ['attachment', 'Attachment'] })
  async read(@Caller() caller: Caller, @Param('id', new IdentifierPipe('attachment')) id: string) {
    return { attachment: this.payload(await this.attachments.read(caller, id)) };
  }

  private readonly payload = (attachment: Attachment) => attachmentPayload(attachment, this.links);
}
