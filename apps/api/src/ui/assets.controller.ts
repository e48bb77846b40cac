import { NotFound } from '#libs/entities';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../edge/access.decorator.js';
import { findAsset } from './assets.js';

const CACHE_CONTROL = 'public, max-age=31536000, immutable';

@Controller('assets')
@Public()
export class AssetsController {
  @Get(':version/:name')
  read(@Param('name') name: string, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    const asset = findAsset(name);
    if (!asset) throw new NotFound('asset');
    void reply
      .header('content-type', asset.type)
      .header('cache-control', CACHE_CONTROL)
      .header('x-content-type-options', 'nosniff');
    return asset.body;
  }
}
