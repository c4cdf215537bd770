/** Numbers of containers in a generated module. */
interface LargeModuleSize {
  readonly areas: number;
  readonly parts: number;
  readonly leaves: number;
}

/**
 * Returns the text of the YANG module `device-model`: `device` with containers `area-N`, which have containers `part-M`
 * with leaves, a list, a choice and a grouping that all parts share. Names and descriptions differ, so that few
 * subschemas are shared.
 */
export function largeModule({ areas, parts, leaves }: LargeModuleSize): string {
  return `module device-model {
    yang-version 1.1; namespace "urn:device-model"; prefix dm;
    grouping endpoint {
      container endpoint {
        leaf address { type string { pattern '[0-9a-f:.]+'; } mandatory true; }
        leaf port { type uint16; default 830; }
        container timers { leaf hello-time { type uint32; units seconds; } leaf hold-time { type uint32; } }
      }
    }
    container device {
      leaf hostname { type string; description "Name of the device."; }
      ${numbers(areas)
        .map((area) => areaText(area, { parts, leaves }))
        .join('\n')}
    }
  }`;
}

function areaText(area: number, { parts, leaves }: Omit<LargeModuleSize, 'areas'>): string {
  return `container area-${area} {
    description "Configuration of the area ${area} of the device.";
    leaf enabled { type boolean; }
    ${numbers(parts)
      .map((part) => partText(`${area}-${part}`, leaves))
      .join('\n')}
  }`;
}

function partText(id: string, leaves: number): string {
  return `container part-${id} {
    description "Part ${id}: what the device does with the packets of ${id}.";
    ${numbers(leaves)
      .map(
        (leaf) =>
          `leaf value-${id}-${leaf} { type uint32 { range "0..${leaf + 4000}"; } description "Value ${leaf} of the part ${id}."; }`,
      )
      .join('\n')}
    list entry-${id} {
      key name;
      leaf name { type string; }
      leaf mtu-${id} { type uint16 { range "68..9216"; } must ". >= 1280" { error-message "an entry of ${id} needs an MTU of 1280"; } }
      uses endpoint;
    }
    choice mode-${id} {
      case access-${id} { leaf vlan-${id} { type uint16; } }
      case trunk-${id} { container trunk-${id} { leaf native-${id} { type uint16; } leaf-list allowed { type uint16; } } }
    }
  }`;
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}
