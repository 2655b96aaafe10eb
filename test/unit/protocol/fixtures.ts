import { readFileSync } from 'node:fs';
import type { HostMessage, InputEvent, MediaPacket, ViewerMessage } from '../../../src/protocol/index.js';

/** The agreed bytes of the protocol. A change here breaks every deployed peer. */
function load(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../fixtures/protocol/${name}`, import.meta.url), 'utf8'));
}

interface Named {
  name: string;
}

export const inputFixtures = load('input.json') as (Named & { hex: string; event: InputEvent })[];

export const packetFixtures = load('packets.json') as (Named & {
  hex: string;
  packet: Omit<MediaPacket, 'payload'> & { payload: string };
})[];

export const controlFixtures = load('control.json') as {
  viewer: (Named & { text: string; message: ViewerMessage })[];
  host: (Named & { text: string; message: HostMessage })[];
};

export function fromHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
