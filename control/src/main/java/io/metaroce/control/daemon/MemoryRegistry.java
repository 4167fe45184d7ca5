// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.ControlEndpoint;
import io.metaroce.lane.Registration;
import io.metaroce.memory.MemoryKeyAllocator;
import java.security.SecureRandom;

/** The registrations of a node: gives keys out and keeps all lanes' tables equal. Any thread. Keys are never logged (MOP-SEC-11). */
final class MemoryRegistry {
    private final MemoryKeyAllocator keys = new MemoryKeyAllocator(new SecureRandom()::nextInt);
    private final ControlEndpoint endpoint;
    private final LaneDataplane lanes;
    private final int regionsMax;

    MemoryRegistry(ControlEndpoint endpoint, LaneDataplane lanes, int regionsMax) {
        this.endpoint = endpoint;
        this.lanes = lanes;
        this.regionsMax = regionsMax;
    }

    int register(int protectionDomain, long address, long lengthBytes, int accessFlags) throws ConnectFailure {
        int key = allocate();
        try {
            endpoint.withDataplane(dataplane -> {
                lanes.installMemory(new Registration(key, address, lengthBytes, accessFlags, protectionDomain));
                return key;
            });
            return key;
        } catch (ConnectFailure e) {
            release(key);
            throw e;
        }
    }

    private synchronized int allocate() throws ConnectFailure {
        int used = keys.usedCount();
        int key = used >= regionsMax ? MemoryKeyAllocator.NONE : keys.allocate();
        if (key == MemoryKeyAllocator.NONE) {
            throw new ConnectFailure("all " + regionsMax + " memory regions are in use (" + used
                    + " registered; memory.regions_max = " + regionsMax + ")");
        }
        return key;
    }

    private synchronized void release(int key) {
        keys.release(key);
    }

    void deregister(int key) throws ConnectFailure {
        endpoint.withDataplane(dataplane -> {
            lanes.removeMemory(key);
            return key;
        });
        release(key);
    }

    synchronized int count() {
        return keys.usedCount();
    }
}
