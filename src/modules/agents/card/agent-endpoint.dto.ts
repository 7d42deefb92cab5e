import { ApiProperty } from '@nestjs/swagger';
import type { AgentEndpointEntity } from './agent-endpoint.entity.js';

/** Where an agent speaks A2A itself. */
export class AgentEndpointDto {
  @ApiProperty({ type: String, format: 'uri', example: 'https://agents.example/lexica/a2a' })
  url!: string;

  @ApiProperty({
    type: String,
    description: 'A binding of A2A, as its card says: `JSONRPC`, `GRPC` or `HTTP+JSON`.',
    example: 'JSONRPC',
  })
  protocol_binding!: string;

  @ApiProperty({ type: String, pattern: '^[0-9]+\\.[0-9]+$', description: 'Of A2A.', example: '1.0' })
  protocol_version!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When its card was last found to name it: when the endpoint was set, then about once a day.',
    example: '2026-11-20T12:55:00.000Z',
  })
  checked_at!: string;

  static from({ url, protocolBinding, protocolVersion, checkedAt }: AgentEndpointEntity): AgentEndpointDto {
    return {
      url,
      protocol_binding: protocolBinding,
      protocol_version: protocolVersion,
      checked_at: checkedAt.toISOString(),
    };
  }
}
