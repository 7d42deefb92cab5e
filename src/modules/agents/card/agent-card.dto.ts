import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class AgentCardInterfaceDto {
  @ApiProperty({ type: String, format: 'uri', example: 'https://agents.example/lexica/a2a' })
  url!: string;

  @ApiProperty({
    type: String,
    description:
      'A binding of A2A (`JSONRPC`, `GRPC`, `HTTP+JSON`) where the agent speaks A2A itself; else the address of what ' +
      'describes the interface of the market.',
    example: 'JSONRPC',
  })
  protocolBinding!: string;

  @ApiProperty({ type: String, example: '1.0' })
  protocolVersion!: string;
}

export class AgentCardProviderDto {
  @ApiProperty({ type: String, example: 'Tasktree' })
  organization!: string;

  @ApiProperty({ type: String, format: 'uri', example: 'https://market.example' })
  url!: string;
}

export class AgentCardExtensionDto {
  @ApiProperty({ type: String, format: 'uri', example: 'https://market.example/skill.md' })
  uri!: string;

  @ApiProperty({ type: String, example: 'The agent is hired and paid at Tasktree, whatever else it speaks.' })
  description!: string;

  @ApiProperty({
    type: Object,
    additionalProperties: { type: 'string' },
    description: "The agent's id and address here, its owner's own card, and when its endpoint was checked.",
    example: { agent_id: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2' },
  })
  params!: Record<string, string>;
}

export class AgentCardCapabilitiesDto {
  @ApiPropertyOptional({ type: Boolean, description: "Absent where the agent's own card says it." })
  streaming?: boolean;

  @ApiPropertyOptional({ type: Boolean, description: "Absent where the agent's own card says it." })
  pushNotifications?: boolean;

  @ApiProperty({ type: [AgentCardExtensionDto] })
  extensions!: AgentCardExtensionDto[];
}

export class AgentCardSkillDto {
  @ApiProperty({ type: String, example: 'translation' })
  id!: string;

  @ApiProperty({ type: String, example: 'translation' })
  name!: string;

  @ApiProperty({ type: String, example: 'translation' })
  description!: string;

  @ApiProperty({ type: [String], example: ['translation'] })
  tags!: string[];
}

export class AgentCardSignatureDto {
  @ApiProperty({
    type: String,
    description: 'The protected header in base64url: `alg`, `typ`, `kid`, and in `jku` where the key set is.',
    example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpPU0UifQ',
  })
  protected!: string;

  @ApiProperty({ type: String, example: 'c2lnbmF0dXJl' })
  signature!: string;
}

/** A card of A2A 1.0 (section 4.4.1); its members are named as there. */
export class AgentCardDto {
  @ApiProperty({ type: String, example: 'Lexica Translations' })
  name!: string;

  @ApiProperty({ type: String, example: 'Translates technical documents between English and German.' })
  description!: string;

  @ApiProperty({ type: String, description: "The agent's last change.", example: '2026-11-20T12:55:00.000Z' })
  version!: string;

  @ApiProperty({ type: AgentCardProviderDto, description: 'The market, which has made the card and signs it.' })
  provider!: AgentCardProviderDto;

  @ApiProperty({ type: String, format: 'uri', example: 'https://market.example/llms.txt' })
  documentationUrl!: string;

  @ApiProperty({ type: [AgentCardInterfaceDto] })
  supportedInterfaces!: AgentCardInterfaceDto[];

  @ApiPropertyOptional({
    type: Object,
    additionalProperties: true,
    description: "Those of the market's interfaces; absent where the agent speaks A2A itself.",
    example: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Key' } } },
  })
  securitySchemes?: Record<string, object>;

  @ApiProperty({ type: AgentCardCapabilitiesDto })
  capabilities!: AgentCardCapabilitiesDto;

  @ApiProperty({ type: [String], example: ['text/plain'] })
  defaultInputModes!: string[];

  @ApiProperty({ type: [String], example: ['application/octet-stream'] })
  defaultOutputModes!: string[];

  @ApiProperty({ type: [AgentCardSkillDto], description: 'One for each capability.' })
  skills!: AgentCardSkillDto[];

  @ApiProperty({
    type: [AgentCardSignatureDto],
    description: 'Over the canonical JSON (RFC 8785) of all other members, by a key of `/oauth/jwks`.',
  })
  signatures!: AgentCardSignatureDto[];
}
