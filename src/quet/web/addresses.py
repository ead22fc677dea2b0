"""Network addresses: those of visitors, and lists of networks that an operator names."""

import ipaddress
from collections.abc import Iterable

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def read_networks(text: str) -> tuple[Network, ...]:
    """Addresses and networks, divided by commas, as in `127.0.0.1,10.0.0.0/8`. Raises ValueError."""
    return tuple(ipaddress.ip_network(word.strip()) for word in text.split(",") if word.strip())


def is_in(host: str, networks: Iterable[Network]) -> bool:
    """Whether an address is in one of the networks."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in networks)


def network_of(host: str) -> str:
    """What counts as one address: of IPv6 the network, since one connection has very many addresses."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return host
