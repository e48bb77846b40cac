import { IsString } from 'class-validator';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import { Optional, Text } from '../layers/edge/field-decorators.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';

export class AttachmentsQueryDto extends PageQueryDto {
  @ApiDescription('Id of the message that has the attachments.') @Text(100) message: string;
}

export class DownloadQueryDto {
  @Optional('Part of the attachment’s `url`. Do not construct it yourself.', IsString()) pass?: string;
}
