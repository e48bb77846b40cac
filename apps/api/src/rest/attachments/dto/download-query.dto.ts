import { IsOptional, IsString } from 'class-validator';
import { About } from '../../../http/about.js';

export class DownloadQueryDto {
  @About('Part of the attachment’s `url`; not made by clients.')
  @IsOptional()
  @IsString()
  pass?: string;
}
