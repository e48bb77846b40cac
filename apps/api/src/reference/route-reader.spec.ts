import { createRequire } from 'node:module';
import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { RouteReader } from './route-reader.js';

class SampleQuery {}
class SampleBody {}

@Controller('v1/samples')
class SamplesController {
  @Post(':id/copy')
  @HttpCode(202)
  @ApiOperation('Copy a sample')
  copy(@Param('id') id: string, @Query() query: SampleQuery, @Body() body: SampleBody): unknown[] {
    return [id, query, body];
  }
}

const { version } = createRequire(import.meta.url)('@nestjs/common/package.json') as { version: string };

it('reads the path, parameters and status of a route from Nest’s metadata', async () => {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers: [SamplesController],
    providers: [RouteReader],
  }).compile();

  expect(
    module.get(RouteReader).all(),
    `@nestjs/common ${version} stores the metadata of routes differently: update route-reader.ts`,
  ).toEqual([
    {
      id: 'samples-copy',
      method: 'post',
      path: '/v1/samples/{id}/copy',
      parameters: ['id'],
      query: SampleQuery,
      body: SampleBody,
      status: 202,
      scopes: { anyOf: ['write'], read: false },
      description: { summary: 'Copy a sample' },
    },
  ]);
  await module.close();
});
