import { AttachmentsService } from '#libs/desk';
import { type Attachment, MOST_ATTACHMENTS } from '#libs/entities';
import { Links, attachmentPayload } from '#libs/payloads';
import { Controller, Get, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Describe } from '../../docs/describe.js';
import { Created, Listed } from '../../http/answers.js';
import { TakesFiles, uploadsOf } from '../../http/files.js';
import { NamePipe } from '../../http/name.pipe.js';
import { BearerGuard } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { AttachmentsQueryDto } from './dto/attachments-query.dto.js';

@Controller('v1')
@UseGuards(BearerGuard)
export class AttachmentsController {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly links: Links,
  ) {}

  @Post('messages/:id/attachments')
  @TakesFiles()
  @Describe('Attach files to a message, all of them or none', {
    files: { most: MOST_ATTACHMENTS },
    createdAll: ['attachments', 'Attachment'],
  })
  async attach(
    @Caller() caller: Caller,
    @Param('id', new NamePipe('message')) id: string,
    @Req() request: FastifyRequest,
  ) {
    const attachments = await this.attachments.attach(caller, id, uploadsOf(request));
    return new Created(this.links.attachmentsOfMessage(id), { attachments: attachments.map(this.payload) });
  }

  @Get('attachments')
  @Describe('List a message’s attachments', { list: ['attachments', 'Attachment'], names: true })
  async list(@Caller() caller: Caller, @Query() query: AttachmentsQueryDto) {
    return new Listed('attachments', await this.attachments.list(caller, query.message, query.wanted()), this.payload);
  }

  @Get('attachments/:id')
  @Describe('Read an attachment, with an address of its bytes', { one: ['attachment', 'Attachment'] })
  async read(@Caller() caller: Caller, @Param('id', new NamePipe('attachment')) id: string) {
    return { attachment: this.payload(await this.attachments.read(caller, id)) };
  }

  private readonly payload = (attachment: Attachment) => attachmentPayload(attachment, this.links);
}
