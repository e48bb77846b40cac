import type { ModuleMetadata } from '@nestjs/common';
import { AssistantRepliesService } from './assistant-replies.service.js';
import { AssistantTools } from './assistant-tools.js';
import { AssistantsController } from './assistants.controller.js';
import { McpController } from './mcp.controller.js';
import { McpMethodsService } from './mcp-methods.service.js';
import { ToolsService } from './tools.service.js';

export const MCP_PARTS = {
  controllers: [AssistantsController, McpController],
  providers: [AssistantRepliesService, AssistantTools, McpMethodsService, ToolsService],
} satisfies ModuleMetadata;
