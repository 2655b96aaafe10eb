export function machineSlowness(): number;
export function slownessNow(): number;
